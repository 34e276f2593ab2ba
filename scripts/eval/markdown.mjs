// A table of texts as Markdown.

/** @param {{ corner: string, columns: readonly { title: string }[], rows: readonly object[] }} table */
export function markdown({ corner, columns, rows, code = corner === 'policy' }) {
  const titles = [corner, ...columns.map(({ title }) => title)]
  const named = (name) => (code ? `\`${name}\`` : name)
  return [
    `| ${titles.join(' | ')} |`,
    `|---|${columns.map(({ words }) => (words ? '---|' : '---:|')).join('')}`,
    ...rows.map(({ name, cells }) => `| ${[named(name), ...cells].join(' | ')} |`),
  ].join('\n')
}
