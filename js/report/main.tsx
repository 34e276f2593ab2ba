/**
 * The page of `loophound scan --html`: reads the report beside it, and shows it.
 *
 * @module
 */

import { render } from 'preact'
import { App } from './app.js'

const data = document.getElementById('report')?.textContent ?? 'null'
const root = document.getElementById('root')
if (root) render(<App report={JSON.parse(data)} />, root)
