// Puts figures into docs/text.md.
import { replaceSections } from '../support/files.mjs'

export const replaceSection = (name, text) => replaceSections('docs/text.md', { [name]: text })
