// How VitePress makes the site from the pages that scripts/site.mjs lays out.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from '../scripts/support/files.mjs'
import { fileAddress, project, siteBase } from '../scripts/support/project.mjs'

/** Where the pages are, beside the generator's packages. */
const pages = path.resolve(import.meta.dirname, '../.tools/site/pages')

const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(path.join(pages, file), 'utf8'))?.[1]

/** A page as an entry of the sidebar. */
const entry = (file) => ({ text: (titleOf(file) ?? file).replaceAll('`', ''), link: `/${file}` })

/** The pages of a folder, its own page first, the others by title. */
function entriesIn(folder) {
  if (!existsSync(path.join(pages, folder))) return []
  const names = readdirSync(path.join(pages, folder)).filter((name) => name.endsWith('.md'))
  const others = names.filter((name) => name !== 'index.md').map((name) => `${folder}/${name}`)
  const own = names.includes('index.md') ? [entry(`${folder}/index.md`)] : []
  return [...own, ...others.map(entry).sort((a, b) => a.text.localeCompare(b.text, 'en'))]
}

/** The guides, in the order in which the front page lists them at its end. */
function guides() {
  const front = readFileSync(path.join(pages, 'index.md'), 'utf8')
  const place = ({ link }) => front.lastIndexOf(link.slice(1))
  return entriesIn('docs/guides').sort((a, b) => place(a) - place(b))
}

const sidebar = [
  { text: 'Start', items: [{ text: 'What it is', link: '/' }] },
  { text: 'Guides', items: guides() },
  { text: 'Frameworks', items: entriesIn('docs/adapters'), collapsed: false },
  { text: 'Reference', items: entriesIn('docs') },
  {
    text: 'Project',
    items: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(entry),
  },
].filter(({ items }) => items.length > 0)

const hasPlayground = existsSync(path.join(pages, 'public/playground/index.html'))

export default {
  title: 'loophound',
  description: 'Notices when an LLM agent goes in circles, and says what to do about it.',
  base: siteBase,
  // No icon of its own: browsers would ask for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'pages',
  outDir: '../../build/site',
  cacheDir: 'cache',
  // A copied address works on any static server.
  cleanUrls: false,
  lastUpdated: false,
  markdown: { config: useRepositoryLinks },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    outline: { level: [2, 3] },
    nav: [
      { text: 'Options', link: '/docs/options.md' },
      { text: 'Change log', link: '/CHANGELOG.md' },
      ...(hasPlayground
        ? [{ text: 'Playground', link: '/playground/index.html', target: '_self' }]
        : []),
      { text: project.version, link: project.repository },
    ],
  },
}

/**
 * Links of the pages are those of the repository. What is a page here keeps its link; what is not,
 * such as a test, is shown where the repository is.
 *
 * @param {any} markdown markdown-it
 */
function useRepositoryLinks(markdown) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (token.type === 'link_open') {
        token.attrSet('href', addressOf(token.attrGet('href'), env.relativePath))
      }
      // The generator takes a bare name in HTML for a package.
      if (token.type.startsWith('html_')) {
        token.content = token.content.replace(/\b(src|srcset)="(?=\w)(?!\w+:)/g, '$1="./')
      }
    }
  })
}

/**
 * @param {string} link
 * @param {string} from The page that it stands on.
 */
function addressOf(link, from) {
  if (/^(\w+:|#|\/)/.test(link)) return link
  const [target, anchor] = link.split('#')
  const file = path.posix.join(path.posix.dirname(from), target)
  const page = file.replace(/(^|\/)README\.md$/, '$1index.md')
  const isPage = existsSync(path.join(pages, page))
  if (!isPage && !existsSync(inRoot(file))) throw new Error(`${from}: dead link ${link}`)
  const address = isPage ? `/${page}` : fileAddress(file)
  return anchor === undefined ? address : `${address}#${anchor}`
}
