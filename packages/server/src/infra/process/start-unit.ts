import type { Logger } from 'pino'
import { messageOf } from '../../text/message-of.ts'
import { ProcessError, type Run } from './process.ts'

export interface StartUnitOptions {
  run: (argv: Parameters<Run>[0], options: { timeoutMs: number; input: string }) => Promise<unknown>
  /** Ends with `.service`. */
  name: string
  /** Absolute path of the file that the unit uses, on a file system that is there before the network. */
  path: string
  /** A program that fails if the file, its last argument, is not correct. */
  check: readonly string[]
  /** Of the unit. */
  text: string
  logger: Pick<Logger, 'warn'>
}

/**
 * What a machine does when it starts, also while the panel does not run: a unit of systemd, and a file that it uses. Problems are
 * logged, never thrown: what applies now is more important. Does nothing where systemd does not run.
 */
export interface StartUnit {
  /** Replaces the file, which the unit uses from the next start on. */
  save(file: string): Promise<void>
  /** The unit uses the file, which is there, from the next start on. */
  enable(): Promise<void>
  remove(): Promise<void>
}

const timeoutMs = 30_000

const begin = `
LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin; export LC_ALL PATH; umask 022
file=$1 unit=$2 units=/etc/systemd/system; shift 2
`
const saveScript = `${begin}
[ -d /run/systemd/system ] || exit 0
mkdir -p "\${file%/*}"
cat >"$file.new"; "$@" "$file.new"; sync "$file.new"; mv -f "$file.new" "$file"
`
const enableScript = `${begin}
[ -d /run/systemd/system ] || exit 0
new=$(mktemp -d); trap 'rm -rf "$new"' EXIT
cat >"$new/$unit"
if ! cmp -s "$new/$unit" "$units/$unit"; then
  systemd-analyze verify "$new/$unit" >&2
  mv -f "$new/$unit" "$units/"; systemctl daemon-reload
fi
systemctl --quiet enable "$unit"
`
const removeScript = `${begin}
if [ -e "$units/$unit" ]; then
  systemctl --quiet disable "$unit"; rm -f "$units/$unit"; systemctl daemon-reload
fi
rm -f -- "$file"
`

export function createStartUnit({ run, name, path, check, text, logger }: StartUnitOptions): StartUnit {
  const shell = async (script: string, { input = '', args = [] as readonly string[] } = {}): Promise<boolean> => {
    try {
      await run(['sh', '-euc', script, 'sh', path, name, ...args], { timeoutMs, input })
      return true
    } catch (error) {
      const reason = error instanceof ProcessError ? error.stderr.trim().slice(0, 300) : ''
      logger.warn({ unit: name, error: reason || messageOf(error) }, 'what the machine does when it starts could not be saved') // oxfmt-ignore
      return false
    }
  }
  let saved: string | undefined
  let state: 'enabled' | 'removed' | undefined
  async function enable(): Promise<void> {
    if (state !== 'enabled' && (await shell(enableScript, { input: text }))) state = 'enabled'
  }
  return {
    async save(file) {
      if (file === saved) return
      if (!(await shell(saveScript, { input: file, args: check }))) return
      saved = file
      await enable()
    },
    enable,
    async remove() {
      if (state === 'removed') return
      saved = undefined
      state = (await shell(removeScript)) ? 'removed' : undefined
    }
  }
}
