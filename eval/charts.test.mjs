/** The charts say what their marks are. */
import { expect, it } from 'vitest'
import { drawChart } from './charts.mjs'

const rows = [
  { name: 'ours', isOurs: true },
  { name: 'theirs', isOurs: false },
]
const panel = (values) => ({
  ...{ title: 'Rate', kind: 'dots', max: 2, step: 1 },
  series: [{ name: 'rate', style: 'bad', values }],
})
const dots = (chart) =>
  [...chart.matchAll(/<circle class="bad" cx="([\d.]+)" cy="[\d.]+" r="5"\/>/g)]
    .map(([, x]) => Number(x))
    .slice(1) // the first is the legend's
const numberAt = (chart, words) =>
  Number(new RegExp(`<text class="faint" x="([\\d.]+)"[^>]*>${words}<`).exec(chart)?.[1])

it('a value beyond the scale stands behind a break, with its number', () => {
  const chart = drawChart('A chart', rows, [panel([1, 11.2])])
  const [within, beyond] = dots(chart)
  expect(within).toBe(numberAt(chart, '1'))
  expect(beyond).toBeGreaterThan(numberAt(chart, '2') + 20)
  expect(beyond).toBe(numberAt(chart, 'more'))
  expect(chart).toContain('>11.2</text>')
})

it('the scale has no break if every value is on it', () => {
  const chart = drawChart('A chart', rows, [panel([0, 2])])
  expect(chart).not.toContain('more')
  expect(dots(chart)).toEqual([numberAt(chart, '0'), numberAt(chart, '2')])
})

it('says what bold names are, where there are any', () => {
  expect(drawChart('A chart', rows, [panel([0, 1])])).toContain('bold: presets of loophound')
  expect(drawChart('A chart', rows.slice(1), [panel([0])])).not.toContain('bold')
})
