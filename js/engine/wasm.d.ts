// The files that stand beside the published entries, as their runtimes hand them over.
declare module '*/core.wasm' {
  const compiled: WebAssembly.Module
  export default compiled
}
declare module '*/core.wasm?module' {
  const compiled: WebAssembly.Module
  export default compiled
}
