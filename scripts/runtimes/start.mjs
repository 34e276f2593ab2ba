// Starts programs in apps.
import { spawn } from 'node:child_process'
import { Failure } from '../support/cli.mjs'
import { environment } from '../support/files.mjs'
import { closeLater } from './closing.mjs'

/** What a program printed, without the newline that console.log puts behind it. */
export async function printed(command, args, options) {
  const { stdout } = await launch(command, args, options).ended
  return stdout.replace(/\n$/, '')
}

/** Starts a program that serves; gives back the address it names, without a path. */
export function serving(command, args, options) {
  return new Promise((resolve, reject) => {
    const onOutput = (output) => {
      const address = /http:\/\/localhost:\d+/.exec(output)
      if (address) resolve(address[0])
    }
    const { ended } = launch(command, args, { ...options, onOutput })
    ended.then(() => reject(new Failure(`${command} ended before it served.`)), reject)
  })
}

function launch(command, args, { cwd, env, onOutput = () => {} }) {
  const child = spawn(command, args, { cwd, env: environment({ NO_COLOR: '1', ...env }) })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (piece) => {
      said[name] += piece
      onOutput(said[name])
    })
  }
  const ended = new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Failure(`${command}: ${error.message}`)))
    child.on('close', (code, signal) => {
      forget()
      if (code === 0) return resolve(said)
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
      const line = [command, ...args].join(' ')
      reject(new Failure(`\`${line}\` ${how}.`, '', said.stdout + said.stderr))
    })
  })
  const forget = closeLater(() => {
    child.kill()
    return ended.catch(() => {})
  })
  return { ended }
}
