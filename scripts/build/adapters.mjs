// The adapters that are published as `loophound/<name>`, one line each; the code is
// js/adapters/<name>.ts. Bundles, types, the manifest's exports and peer
// dependencies, and the tests of what is published all follow from this list.
//
// `peers` are the framework packages that the adapter is made for, with the
// versions it is tested with (tests/adapters/fixtures). In the manifest all are
// optional, and of any version: npm refuses to install beside another version
// even of an optional peer, also in a project that uses none of the adapters.
export const ADAPTERS = [
  { name: 'ai-sdk', peers: { ai: '^5.0.0 || ^6.0.0 || ^7.0.0' } },
  { name: 'anthropic', peers: { '@anthropic-ai/sdk': '^0.137.0 || ^1.0.0' } },
  { name: 'claude-agent', peers: { '@anthropic-ai/claude-agent-sdk': '^0.3.0' } },
  {
    name: 'mcp',
    peers: { '@modelcontextprotocol/client': '^2.0.0', '@modelcontextprotocol/sdk': '^1.0.0' },
  },
  { name: 'openai', peers: { openai: '^5.0.0 || ^6.0.0 || ^7.0.0' } },
  {
    name: 'langchain',
    peers: {
      langchain: '^1.5.4',
      deepagents: '^1.14.0',
      '@langchain/langgraph': '^1.4.7',
      zod: '^3.25.0 || ^4.0.0',
    },
  },
  {
    name: 'langgraph',
    peers: { '@langchain/core': '^1.2.0', '@langchain/langgraph': '^1.4.7' },
  },
  { name: 'openai-agents', peers: { '@openai/agents': '^0.20.0' } },
  { name: 'mastra', peers: { '@mastra/core': '^0.24.0 || ^1.52.0' } },
  { name: 'google-adk', peers: { '@google/adk': '^2.0.0' } },
  { name: 'strands', peers: { '@strands-agents/sdk': '^1.19.0' } },
  { name: 'tanstack-ai', peers: { '@tanstack/ai': '^0.58.0' } },
  { name: 'genkit', peers: { genkit: '^1.42.0' } },
  { name: 'cline', peers: { '@cline/agents': '^0.0.86' } },
  { name: 'pi', peers: { '@earendil-works/pi-coding-agent': '^1.5.0' } },
  {
    name: 'opencode',
    peers: { '@kilocode/plugin': '^7.0.0', '@opencode-ai/plugin': '^1.18.0' },
  },
  {
    name: 'cloudflare',
    peers: { '@cloudflare/ai-chat': '^0.12.0', '@cloudflare/think': '^0.23.0' },
  },
  { name: 'otel', peers: { '@opentelemetry/api': '^1.4.0' } },
]

/** Entries that are not adapters. They import the package by name as well. */
export const PARTS = [
  { name: 'transcripts', source: 'js/transcripts/index.ts', peers: {} },
  { name: 'swarm', source: 'js/swarm/index.ts', peers: {} },
  { name: 'swarm/cloudflare', source: 'js/swarm/cloudflare.ts', peers: {} },
  { name: 'react', source: 'js/react/index.ts', peers: { react: '^18.0.0 || ^19.0.0' } },
]

/** All entries besides the main one, and where their code is. */
export const SUBPATHS = [
  ...ADAPTERS.map((adapter) => ({ ...adapter, source: `js/adapters/${adapter.name}.ts` })),
  ...PARTS,
]

/** The fields of the manifest for them. */
export function entryFields() {
  const names = [...new Set(SUBPATHS.flatMap(({ peers }) => Object.keys(peers)))].sort()
  return {
    exports: Object.fromEntries(SUBPATHS.map(({ name }) => [`./${name}`, entry(name)])),
    // For resolvers that do not know `exports`.
    typesVersions: {
      '*': Object.fromEntries(SUBPATHS.map(({ name }) => [name, [`./dist/${name}.d.cts`]])),
    },
    peerDependencies: Object.fromEntries(names.map((name) => [name, '*'])),
    peerDependenciesMeta: Object.fromEntries(names.map((name) => [name, { optional: true }])),
  }
}

const entry = (name) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
})
