// Puts figures into docs/text.md.
import { replaceSections } from '../support/sections.mjs'

export const replaceSection = (name, text) => replaceSections('docs/text.md', { [name]: text })
