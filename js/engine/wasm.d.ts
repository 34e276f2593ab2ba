// The files next to the published entries, as their runtimes import them.
declare module '*/core.wasm' {
  const compiled: WebAssembly.Module
  export default compiled
}
declare module '*/core.wasm?module' {
  const compiled: WebAssembly.Module
  export default compiled
}
