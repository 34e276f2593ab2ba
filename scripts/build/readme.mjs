// The README of the npm package: the front page, with links that work outside of the repository.
import { readFileSync } from 'node:fs'
import { inRoot } from '../support/files.mjs'
import { fileAddress } from '../support/project.mjs'

/** Returns the front page as it is published. */
export const publishedReadme = () => withAbsoluteLinks(readFileSync(inRoot('README.md'), 'utf8'))

/** Makes the relative links of a page absolute: to pages, and to pictures as files. */
export function withAbsoluteLinks(page) {
  const absolute = (_, before, target, after) => `${before}${fileAddress(target)}${after}`
  return page
    .replaceAll(/(\b(?:src|srcset)=")(?!https?:)([^"]+)(")/g, absolute)
    .replaceAll(/(\]\()(?!https?:|#)([^)]+)(\))/g, absolute)
}
