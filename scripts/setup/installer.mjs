// Runs one installer quietly; when it fails, shows what it said and what may help.
import { Failure } from '../support/failure.mjs'
import { capture } from '../support/process.mjs'

const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|[Cc]ould(n't| not) resolve|could not download|failed to download|download of .* failed|spurious network error/

export async function runInstaller([command, args], { report, signal, env, progress }) {
  const onOutput = progress && ((piece) => report(progress(piece)))
  const result = await capture(command, args, { env, signal, onOutput })
  if (!result) throw new Failure(`${command} is not on the PATH.`)
  if (result.code === 0) return
  throw new Failure(
    `\`${[command, ...args].join(' ')}\` failed.`,
    OFFLINE.test(result.output)
      ? 'A package registry could not be reached. Check the network and run the same command again: what is finished is kept.'
      : 'Its output is above. Running the same command again goes on from where it stopped.',
    readable(result.output),
  )
}

/** Without the progress bars, and not more than a screenful or two. */
function readable(output) {
  const lines = output.split(/\r?\n|\r/).filter((line) => !/^\s*(Building|Fetch) \[/.test(line))
  return lines.slice(-80).join('\n')
}
