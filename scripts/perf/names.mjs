// Names that the measuring process and the tables share.

/** What everything is a multiple of. */
export const BASE = 'JSON.stringify'
export const STRINGIFY_AND_MAP = 'JSON.stringify + Map'

/** What stands before the figures in the output of a measuring process. */
export const MARKER = '\u0001figures:'
