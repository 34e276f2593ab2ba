/** Texts that repeat, and yet are work: what must never raise an alarm. */

import { lines, random } from './support.js'

const next = random(11)
const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const letters = (count: number) => Array.from({ length: count }, () => pick([...alphabet])).join('')
const zeros = (rows: number, columns: number) =>
  lines(rows, () => Array.from({ length: columns }, () => 0).join(' '))

const CODE = `for (let i = 0; i < 10; i++) {
  console.log(i);
}
`

export const USEFUL: Readonly<Record<string, string>> = {
  'a grid of zeros in a code block': `The empty board:\n\n\`\`\`\n${zeros(50, 50)}\n\`\`\`\n`,
  'a grid of zeros without a code block': `The empty board:\n\n${zeros(20, 20)}\n`,
  'a fenced block of repetitive code': `Here:\n\`\`\`ts\n${CODE.repeat(40)}\`\`\`\nThat is all.`,
  'a fenced block with prose in it': `\`\`\`\n${'This line is said again and again. '.repeat(60)}\n\`\`\``,
  'a block fenced with tildes': `~~~\n${'assert the value is true\n'.repeat(60)}~~~\n`,
  'a fence within a longer fence': `\`\`\`\`md\n\`\`\`\n${'say it again and again\n'.repeat(60)}\`\`\`\n${'say it again and again\n'.repeat(40)}\`\`\`\`\n`,
  'indented code': `Like so:\n\n${'    result.append(compute(value))\n'.repeat(60)}\nAnd so on.`,
  'code indented with tabs': `Like so:\n\n${'\treturn nil, err\n'.repeat(100)}\n`,
  'code without a fence': `You can write:\n${lines(60, (i) => `assert.equal(add(${i}, 1), ${i + 1});`)}\n`,
  'a table': `| Name | State | Retries |\n|---|---|---|\n${lines(80, () => '| worker | idle | 0 |')}\n`,
  'a table without outer bars': `Name | State | Retries\n--- | --- | ---\n${lines(80, () => 'worker | idle | 0')}\n`,
  'a table of aligned columns': `NAME       READY     STATUS\n${lines(60, () => 'web        1/1       Running')}\n`,
  'a list': `Done:\n${'- [x] checked\n'.repeat(120)}`,
  'a list with a long shared prefix': lines(
    60,
    (i) => `- projects/my-project-12345/locations/us-central1/services/${i}`,
  ),
  'a list of stars': lines(80, () => '* pending review by the owner of the file'),
  'a list of bullets': lines(80, () => '• pending review by the owner of the file'),
  'a numbered list': lines(80, (i) => `${i + 1}. Check the box and go on to the next page`),
  'a numbered series': lines(300, (i) => `Item ${i + 1}`),
  'a numbered series on one line': `Count with me: ${Array.from({ length: 400 }, (_, i) => i + 1).join(', ')}`,
  'numbered names': Array.from({ length: 200 }, (_, i) => `user${i}@example.com`).join(', '),
  'numbered addresses': lines(100, (i) => `https://example.com/api/v1/items/${i}`),
  'answers to numbered questions': lines(120, (i) => `Question ${i + 1}: yes`),
  headings: lines(60, () => '## Section\n\nSee above.\n').slice(0, 700),
  'a heading for each file': lines(40, (i) => `### File ${i}\n\nNo issues found.\n`),
  'a ruler': `Title\n${'='.repeat(700)}\nText`,
  'rulers in a code block': `\`\`\`\n${lines(3, () => '-'.repeat(1800))}\n\`\`\``,
  'a ruler of a table': `| a | b |\n|${'-'.repeat(300)}|${'-'.repeat(300)}|\n| 1 | 2 |\n`,
  'a cry with signs': `Why${'?'.repeat(120)}${'!'.repeat(150)} That is enough.`,
  'a scream': `A${'a'.repeat(120)}rgh${'h'.repeat(90)}!`,
  'empty lines': `Above.${'\n'.repeat(200)}Below.`,
  'a wide gap': `Name${' '.repeat(500)}Price`,
  'rulers without line breaks': '-'.repeat(50).repeat(15),
  'rulers of boxes': '╭─'.repeat(25).repeat(15),
  'rulers between texts': lines(30, (i) => `${'-'.repeat(60)}\nPart ${i}: ${letters(30)}`),
  'dotted leaders': lines(40, (i) => `Chapter ${letters(8)} ${'.'.repeat(60)} ${i * 7}`),
  json: JSON.stringify(
    Array.from({ length: 80 }, (_, id) => ({ id, name: 'unknown', tags: [], active: false })),
    null,
    2,
  ),
  'json on one line': JSON.stringify(
    Array.from({ length: 80 }, () => ({ name: 'unknown', value: null, active: false })),
  ),
  'json within a sentence': `The answer is ${JSON.stringify(Array.from({ length: 60 }, () => ({ x: 0, y: 0 })))} as you asked.`,
  csv: `name,age,city\n${lines(120, () => `${pick(['Ann', 'Bob', 'Cy'])},${Math.floor(next() * 90)},Paris`)}\n`,
  'csv of equal rows': `a,b,c\n${'0,0,0\n'.repeat(400)}`,
  'quoted logs': lines(60, () => '> Connection refused, retrying in a moment'),
  'logs with times': lines(
    80,
    (i) =>
      `2026-08-01T10:00:${String(i % 60).padStart(2, '0')}Z worker heartbeat ok, nothing to do`,
  ),
  'logs with levels': lines(80, () => 'INFO heartbeat ok, nothing to do'),
  'errors as they are printed': lines(60, () => 'Error: connect ECONNREFUSED 127.0.0.1:5432'),
  'numbered results': lines(100, (i) => `Test ${i + 1} passed in 3 ms`),
  'logs in brackets': lines(80, () => '[worker] heartbeat ok, nothing to do'),
  base64: `The key is ${letters(6000)} and no other.`,
  'base64 in lines': lines(60, () => letters(76)),
  'base64 with a run of one letter': `data:${letters(300)}${'A'.repeat(1500)}${letters(300)}`,
  'a number of a thousand digits': `Pi is 3.${Array.from({ length: 1000 }, () => Math.floor(next() * 10)).join('')}`,
  'a poem with a refrain': lines(
    10,
    () =>
      `${pick(['The river', 'The wind', 'The night', 'The rain'])} ${letters(12)} over ${letters(9)} and ${letters(7)},\nand ${letters(11)} the ${letters(8)} of ${letters(9)} gone;\nRow on, row on, the harbour lights are burning,\nrow on, row on, until the break of day.\n`,
  ),
  'a song with a chorus sung twice': `${'Row, row, row your boat,\ngently down the stream.\nMerrily, merrily, merrily, merrily,\nlife is but a dream.\n\n'.repeat(2)}`,
  'a cry': `Nooooooooooooooooooooooooooooooooooooooooooooo! ${'Ha'.repeat(40)}! That went wrong.`,
  'very different sentences': lines(
    120,
    () => `${letters(9)} ${letters(5)} ${letters(12)} ${letters(3)}.`,
  ),
  'a passage quoted twice': `${'It says: the parser keeps the comma only when the option is set, and drops it in every other case, which is why the test fails on the second line and not on the first, as one would think. '.repeat(2)}So that is it.`,
  'white space': `Title${' '.repeat(300)}Date\n\n\n\n\n\n\n\n\n\n\n\nText`,
  'Chinese list': lines(60, (i) => `${i + 1}、检查第${i + 1}个文件`),
  'a Chinese passage quoted twice':
    '文档说：只有设置了这个选项，解析器才会保留逗号，在其他情况下都会去掉它，所以测试在第二行失败。'.repeat(
      2,
    ),
  yaml: lines(60, (i) => `- name: step\n  run: npm test\n  timeout: ${i}`),
  'a diff': `\`\`\`diff\n${'- old line\n+ new line\n'.repeat(100)}\`\`\``,
  html: `${'<tr><td>0</td><td>0</td></tr>'.repeat(60)}`,
}

const roman = (number: number): string => {
  const signs: [string, number][] = [
    ['L', 50],
    ['XL', 40],
    ['X', 10],
    ['IX', 9],
    ['V', 5],
    ['IV', 4],
    ['I', 1],
  ]
  let rest = number
  return signs
    .map(([sign, value]) => {
      const times = Math.floor(rest / value)
      rest -= times * value
      return sign.repeat(times)
    })
    .join('')
}
const day = (index: number) => new Date(Date.UTC(2026, 0, 25 + index))
const units = (count: number, unit: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join('')

/** Sentences that are all alike but for a number that goes on. */
export const ENUMERATIONS: Readonly<Record<string, string>> = {
  'clauses of a contract': units(70, (i) => `Clause ${i + 1} stays as it was agreed. `),
  'exam questions, one answer': units(90, (i) => `Problem ${i + 1}: the claim holds. `),
  'exam questions, three answers': units(
    90,
    (i) => `Problem ${i + 1}: the claim ${['holds', 'fails', 'is open'][(i * i) % 3]} in general. `,
  ),
  'files of a folder': units(48, (i) => `Opening image ${i + 1} of 48, which has no caption yet. `),
  'pages, twelve at a time': units(
    40,
    (i) => `Pages ${12 * i + 1} to ${12 * i + 12} are scanned. `,
  ),
  fractions: units(80, (i) => `${i + 1}/80 uploaded. `),
  'steps of a plan': units(50, (i) => `Step ${i + 1} of 50: finished. `),
  'blocks with durations': units(
    120,
    (i) => `Encoding block ${i + 1}… fine, after ${Math.floor(next() * 900)} ms. `,
  ),
  'articles in Roman numerals': units(
    60,
    (i) => `Article ${roman(i + 1)} passes unanimously today. `,
  ),
  'lettered items': units(26, (i) => `(${String.fromCharCode(97 + i)}) the tenant keeps the key. `),
  'lettered items in capitals': lines(
    26,
    (i) => `Appendix ${String.fromCharCode(65 + i)} is unchanged from the draft.`,
  ),
  'days, written with hyphens': units(
    60,
    (i) => `On ${day(i).toISOString().slice(0, 10)} the pump ran without any trouble. `,
  ),
  'days, written with dots': units(
    60,
    (i) => `${day(i).getUTCDate()}.${day(i).getUTCMonth() + 1}.2026 was dry and windy here. `,
  ),
  'times of a day': units(
    90,
    (i) =>
      `At ${8 + Math.floor((i * 7) / 60)}:${String((i * 7) % 60).padStart(2, '0')} the valve was shut again. `,
  ),
  'a countdown': units(60, (i) => `Now ${60 - i} letters remain to be sorted by hand. `),
  'a countdown by tens': units(30, (i) => `About ${600 - 20 * i} rows are left in the old table. `),
  offsets: units(80, (i) => `The page at offset ${i * 4096} is intact and can be used. `),
  'large steps': units(60, (i) => `Seeking to ${i * 3000} worked, and the frame is sharp. `),
  'chapters and sections': units(
    60,
    (i) => `Section ${Math.floor(i / 10) + 1}.${(i % 10) + 1} needs no other wording. `,
  ),
  'rooms, in paragraphs': units(
    28,
    (i) =>
      `Room ${201 + i} was visited. The windows close, the lamp works, the floor is clean, and nothing has to be mended before the next guest comes.\n\n`,
  ),
  'a counter that stays once': units(
    40,
    (i) => `Sending message ${i < 20 ? i + 1 : i} to the list of readers. `,
  ),
  'Chinese items': units(60, (i) => `第${i + 1}张图片已经上传成功，没有出现任何错误。`),
  'Chinese numerals': units(29, (i) => `第${chinese(i + 1)}章已经翻译完成，没有任何遗漏。`),
}

function chinese(number: number): string {
  const digits = ['', ...'一二三四五六七八九']
  const tens = Math.floor(number / 10)
  return `${tens > 1 ? digits[tens] : ''}${tens > 0 ? '十' : ''}${digits[number % 10]}`
}
