/**
 * The parts of LangGraph's types that the adapter uses.
 *
 * @module
 */

/** A run, for a function that returns its guard. */
export interface ThreadInfo {
  readonly configurable?: { readonly thread_id?: string | undefined }
}

/** What a node is told about its run. */
export interface RunConfig extends ThreadInfo {
  readonly metadata?: { readonly langgraph_checkpoint_ns?: string }
}

/** A node of the graph: a function of the state. */
// biome-ignore lint/suspicious/noExplicitAny: the state is the user's, and so is what a node returns
export type GraphNode = (state: any, config?: any) => any

/** A `ToolNode`, or a node of your own that runs tools. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type ToolsNode = GraphNode | { invoke(state: any, config?: any): any }
