// The adapters that are published as `loophound/<name>`, one line each; the code is
// js/adapters/<name>.ts. Bundles, types, the manifest's exports and peer
// dependencies, and the tests of what is published all follow from this list.
//
// `peers` are the framework packages that the adapter is made for, with the
// versions it is tested with (tests/adapters/fixtures). All are optional.
export const ADAPTERS = [
  { name: 'ai-sdk', peers: { ai: '^5.0.0 || ^6.0.0 || ^7.0.0' } },
  { name: 'anthropic', peers: { '@anthropic-ai/sdk': '^0.137.0 || ^1.0.0' } },
  { name: 'claude-agent', peers: { '@anthropic-ai/claude-agent-sdk': '^0.3.0' } },
  { name: 'mcp', peers: { '@modelcontextprotocol/sdk': '^1.0.0' } },
  { name: 'openai', peers: { openai: '^5.0.0 || ^6.0.0 || ^7.0.0' } },
  {
    name: 'langchain',
    peers: {
      langchain: '^1.5.4',
      '@langchain/langgraph': '^1.4.7',
      zod: '^3.25.0 || ^4.0.0',
    },
  },
  { name: 'openai-agents', peers: { '@openai/agents': '^0.20.0' } },
  { name: 'mastra', peers: { '@mastra/core': '^0.24.0 || ^1.52.0' } },
  { name: 'otel', peers: { '@opentelemetry/api': '^1.4.0' } },
]

/** What the manifest has to say about them. */
export function adapterFields() {
  const peers = Object.assign({}, ...ADAPTERS.map(({ peers }) => peers))
  const names = Object.keys(peers).sort()
  return {
    exports: Object.fromEntries(ADAPTERS.map(({ name }) => [`./${name}`, entry(name)])),
    // For resolvers that do not know `exports`.
    typesVersions: {
      '*': Object.fromEntries(ADAPTERS.map(({ name }) => [name, [`./dist/${name}.d.cts`]])),
    },
    peerDependencies: Object.fromEntries(names.map((name) => [name, peers[name]])),
    peerDependenciesMeta: Object.fromEntries(names.map((name) => [name, { optional: true }])),
  }
}

const entry = (name) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
})
