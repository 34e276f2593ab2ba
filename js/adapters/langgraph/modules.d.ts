/**
 * The parts of LangGraph that the adapter uses: it is not installed where the adapter is made.
 * `tests/adapters` checks it against LangGraph's own types.
 */

declare module '@langchain/core/messages' {
  export { AIMessage, HumanMessage, ToolMessage } from 'langchain'
}

declare module '@langchain/langgraph' {
  export function Annotation<Value, Update>(options: {
    reducer(left: Value, right: Update): Value
    default(): Value
  }): BinaryOperatorAggregate<Value, Update>

  export interface BinaryOperatorAggregate<Value, Update> {
    readonly ValueType: Value
    readonly UpdateType: Update
  }
}
