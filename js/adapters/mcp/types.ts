/**
 * The parts of MCP's types that the adapter looks at.
 *
 * @module
 */

/** What `callTool` is called with, as far as it is looked at. */
export interface McpCall {
  readonly name: string
  readonly arguments?: unknown
}

/** How a call is made, as far as it is looked at. */
export interface McpCallOptions {
  readonly signal?: { readonly aborted: boolean }
}

/** What it gives back. */
export interface McpResult {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: boolean
}
