/** Texts that go in circles: a beginning, what is repeated, and how often at most until it is found. */

export interface Chant {
  readonly name: string
  readonly before: string
  readonly unit: (pass: number) => string
  /** Passes by which it must have been found. */
  readonly within: number
  /** The beginning is part of what repeats. */
  readonly countsBefore?: boolean
}

const same = (text: string) => () => text

const opening =
  'I looked at the failing test first. It expects the parser to keep the trailing comma, which it drops. '

export const CHANTS: readonly Chant[] = [
  {
    name: 'a sentence',
    before: opening,
    unit: same('I will now check the file again. '),
    within: 10,
  },
  {
    name: 'a long sentence',
    before: opening,
    unit: same(
      'Let me re-read the configuration to make sure that the port is the one that the server listens on. ',
    ),
    within: 6,
  },
  {
    name: 'a paragraph',
    before: `${opening}\n\n`,
    unit: same(
      'The build fails because the module cannot be resolved. I need to look at the import path, compare it with the folder structure, and correct it. Then I will run the build again and see whether the error is gone. If it is not, I will look at the bundler configuration next.\n\n',
    ),
    within: 4,
  },
  { name: 'one word', before: opening, unit: same('The '), within: 32 },
  {
    name: 'one word in changing case',
    before: '',
    unit: (pass) => (pass % 3 ? 'the ' : 'The '),
    within: 45,
  },
  { name: 'a phrase', before: opening, unit: same('yes agree '), within: 13 },
  { name: 'capitals', before: '', unit: same('SELECT '), within: 20 },
  { name: 'capitals without gaps', before: '', unit: same('SELECT'), within: 22 },
  { name: 'digits', before: '', unit: same('12345 '), within: 80 },
  { name: 'digits without gaps', before: '', unit: same('1234567890'), within: 45 },
  { name: 'a letter', before: opening, unit: same('a'), within: 220 },
  { name: 'a digit', before: 'The result is 1.', unit: same('3'), within: 450 },
  { name: 'a wide letter', before: '好的，', unit: same('哈'), within: 110 },
  { name: 'an emoji', before: 'Done! ', unit: same('🎉'), within: 110 },
  { name: 'an emoji of several parts', before: 'Done! ', unit: same('👩‍💻'), within: 80 },
  { name: 'dashes without end', before: '', unit: same('-'), within: 801 },
  { name: 'equals signs without end', before: opening, unit: same('='), within: 801 },
  { name: 'full stops without end', before: opening, unit: same('.'), within: 801 },
  { name: 'blocks without end', before: opening, unit: same('█'), within: 801 },
  { name: 'exclamation marks without end', before: 'Done', unit: same('!'), within: 401 },
  { name: 'slashes without end', before: opening, unit: same('/'), within: 401 },
  { name: 'rulers of two signs', before: opening, unit: same('~-'), within: 410 },
  { name: 'NULs without end', before: opening, unit: same('\0'), within: 101 },
  { name: 'white space without end', before: opening, unit: same('\n'), within: 801 },
  { name: 'blank lines without end', before: opening, unit: same('  \n'), within: 270 },
  { name: 'a letter in a code block', before: '```\n', unit: same('x'), within: 4_001 },
  {
    name: 'a cycle of lines',
    before: '',
    unit: same('Generating.\nGo.\nI will write the response.\nDone.\n'),
    within: 10,
  },
  {
    name: 'a long cycle of lines',
    before: opening,
    unit: same(
      'I open the file.\nI look for the function.\nI see that it is not there.\nI close the file.\nI open the next file.\nIt is not there either.\nI go back to the start.\n',
    ),
    within: 5,
  },
  {
    name: 'a sentence with a counter that never ends',
    before: '',
    unit: (pass) => `Attempt ${pass + 1}: I will try to run the tests again and see what happens. `,
    within: 180,
  },
  {
    name: 'a short sentence with a counter that never ends',
    before: '',
    unit: (pass) => `Checking file ${pass + 1} of 9000 again. `,
    within: 370,
  },
  {
    name: 'a paragraph with a counter',
    before: opening,
    unit: (pass) =>
      `Attempt ${pass + 1}. The build fails because the module cannot be resolved. I need to look at the import path, compare it with the folder structure, and correct it. Then I will run the build again and see whether the error is gone. If it is not, I will look at the bundler configuration next. `,
    within: 45,
  },
  {
    name: 'a counter that stopped',
    before: Array.from({ length: 20 }, (_, i) => `Next I look at page ${i} of the book. `).join(''),
    unit: same('Next I look at page 20 of the book. '),
    within: 4,
    countsBefore: true,
  },
  {
    name: 'a counter that does not count',
    before: opening,
    unit: same('Checking file 10 of 60 again. '),
    within: 11,
  },
  {
    name: 'a counter that goes back and forth',
    before: opening,
    unit: (pass) => `Going back to step ${3 + (pass % 2)} of the plan now. `,
    within: 11,
  },
  {
    name: 'a counter that starts over',
    before: opening,
    unit: (pass) => `Going on with step ${1 + (pass % 5)} of the plan now. `,
    within: 16,
  },
  {
    name: 'a sentence with random numbers',
    before: '',
    unit: (pass) =>
      `Waiting ${(pass * 37) % 101} ms for the server on port ${8000 + ((pass * 53) % 97)} to come up before I try again. `,
    within: 20,
  },
  {
    name: 'Chinese',
    before: '我先看一下测试文件。',
    unit: same('我会再次检查这个文件。'),
    within: 10,
  },
  {
    name: 'Chinese with a counter that never ends',
    before: '',
    unit: (pass) => `第${pass + 1}次尝试：我再运行一遍测试，看看结果有没有变化。`,
    within: 270,
  },
  {
    name: 'Chinese numerals that start over',
    before: '',
    unit: (pass) =>
      `第${'一二三四五六七八九'[pass % 9]}次尝试：我再运行一遍测试，看看结果有没有变化。`,
    within: 20,
  },
  { name: 'Japanese', before: '', unit: same('もう一度ファイルを確認します。'), within: 10 },
  { name: 'Korean', before: '', unit: same('파일을 다시 확인하겠습니다. '), within: 10 },
  { name: 'Thai', before: '', unit: same('ฉันจะตรวจสอบไฟล์อีกครั้ง'), within: 12 },
  { name: 'Arabic', before: '', unit: same('سأتحقق من الملف مرة أخرى. '), within: 10 },
  { name: 'Hindi', before: '', unit: same('मैं फ़ाइल की फिर से जाँच करूँगा। '), within: 10 },
  { name: 'Russian', before: '', unit: same('Я ещё раз проверю файл. '), within: 10 },
  { name: 'letters with combining marks', before: '', unit: same('e\u0301te\u0301 '), within: 22 },
  {
    name: 'an answer with headings and lists',
    before: '',
    unit: same(
      '## Final solution\n\nTo solve this, the following changes were made in the module that draws the figure:\n\n1. **Adjust the parameters:** the spacing now follows what the caller asked for.\n2. **Update the positions:** each part is placed anew.\n\nWith these changes the parts respect the spacing, and users control how far apart they stand. The change was verified with a script and with the tests that were there before.\n\n',
    ),
    within: 6,
  },
  {
    name: 'text after a code block',
    before: 'Look:\n```js\nconst a = 1\n```\n',
    unit: same('And that is how it works, as you can see. '),
    within: 11,
  },
  {
    name: 'a code block that never ends',
    before: 'Here it is:\n```js\n',
    unit: same('  console.log("again")\n'),
    within: 800,
  },
  {
    name: 'a list that never ends',
    before: 'To do:\n',
    unit: same('- Check the file again\n'),
    within: 380,
  },
]

/** Ever other sentences out of the same few words. */
export const RAMBLES: Readonly<Record<string, string>> = {
  English: [
    'The configuration file may be the problem, so I should look at the configuration file again.',
    'If the configuration is the problem, then the file should be looked at before the server starts.',
    'The server may not start because of the configuration, so the problem may be in the file.',
    'I should look at the file again before I start the server, because the configuration may be the problem.',
    'Looking at the configuration again may show the problem that the server has when it starts.',
    'So the problem may be that the server starts before the configuration file is looked at.',
  ].join(' '),
  German: [
    'Vielleicht liegt der Fehler in der Datei, also sollte ich die Datei noch einmal prüfen.',
    'Wenn der Fehler in der Datei liegt, sollte die Datei geprüft werden, bevor der Test noch einmal läuft.',
    'Der Test läuft vielleicht nicht, weil der Fehler noch in der Datei liegt.',
    'Also sollte ich den Fehler prüfen, bevor ich den Test noch einmal laufen lasse.',
    'Vielleicht sollte der Test laufen, bevor ich die Datei prüfe und der Fehler noch einmal kommt.',
  ].join(' '),
}
