import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { readIfExists } from '../disk/read-if-exists.ts'
import { createBootRules } from '../host-firewall/boot-rules.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { changeAlone, createNft, createTableHold } from './nft.ts'
import { startRollback } from './rollback.ts'
import type { ChangeOutcome, ServerFirewall } from './server-firewall.ts'
import { renderServerTable } from './server-ruleset.render.ts'

interface NftServerFirewall {
  table: string
  bridgePrefix: string
  /** `confirmed.nft` is what a rollback loads; `trial-<id>.nft` is the change that is in force on trial. */
  directory: string
  run: Run
  logger: Pick<Logger, 'warn'>
}

const timeoutMs = 10_000
const defaultSshPort = 22
const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The trial's file decides the outcome of a change: the panel confirms by renaming it, and the rollback process
 * reverts by renaming it to another name. Only one of the two can succeed.
 */
export function createNftServerFirewall(options: NftServerFirewall): ServerFirewall {
  const { table, directory, run, logger } = options
  const confirmed = join(directory, 'confirmed.nft')
  const boot = createBootRules({ run, table, path: confirmed, logger })
  const fileOf = (kind: 'trial' | 'reverting', id: string) => {
    if (!idPattern.test(id)) throw new TypeError(`Invalid id of a firewall change: ${JSON.stringify(id)}`)
    return join(directory, `${kind}-${id}.nft`)
  }
  const hold = createTableHold(table)
  const nft = createNft(run)
  const isLoaded = async (chain: string) => (await nft(['list', 'chains', 'inet'])).includes(`\tchain ${chain} {`)
  const listedTables = async () => (await nft(['list', 'tables', 'inet'])).split('\n')

  /** Header: which change put the file in place. */
  const headed = (id: string, text: string) => `# change ${id}\n${text}`
  const write = async (path: string, text: string) => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, text, { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  const loadConfirmed = async () => {
    if ((await readIfExists(confirmed)) === undefined)
      await write(confirmed, headed('-', renderServerTable(options, undefined).text))
    await nft(['-f', confirmed])
  }
  const settled = async (id: string): Promise<ChangeOutcome> => {
    const text = await readIfExists(confirmed)
    return text?.startsWith(`# change ${id}\n`) ? 'confirmed' : 'reverted'
  }
  const revert = async (id: string): Promise<ChangeOutcome> => {
    const reverting = fileOf('reverting', id)
    if (!(await renameIfThere(fileOf('trial', id), reverting)) && (await readIfExists(reverting)) === undefined)
      return settled(id)
    await loadConfirmed()
    await rm(reverting, { force: true })
    return 'reverted'
  }
  const endTrials = async () => {
    for (const file of await readdir(directory))
      if (/^(trial|reverting)-/.test(file)) await rm(join(directory, file), { force: true })
  }

  return {
    exclusively: (work) => changeAlone(table, work),
    async apply(ruleset) {
      const { text, chain } = renderServerTable(options, ruleset)
      const before = await readIfExists(confirmed)
      // A server that never had a firewall may have no nft.
      if (ruleset === undefined && before === undefined) return
      await hold()
      const isThere =
        ruleset === undefined ? !(await listedTables()).includes(`table inet ${table}`) : await isLoaded(chain)
      if (!isThere || before?.slice(before.indexOf('\n') + 1) !== text) {
        await nft(['-c', '-f', '-'], text)
        await write(confirmed, headed('-', text))
        await endTrials()
        await nft(['-f', confirmed])
      }
      if (ruleset !== undefined) await boot.enable()
    },
    async tryOut(id, ruleset, seconds) {
      await hold()
      const trial = fileOf('trial', id)
      const { text } = renderServerTable(options, ruleset)
      await nft(['-c', '-f', '-'], text)
      if ((await readIfExists(confirmed)) === undefined)
        await write(confirmed, headed('-', renderServerTable(options, undefined).text))
      await write(trial, headed(id, text))
      try {
        await startRollback({ table, seconds, trial, reverting: fileOf('reverting', id), confirmed })
        await nft(['-f', trial])
      } catch (error) {
        await revert(id)
        throw error
      }
    },
    confirm: async (id) => ((await renameIfThere(fileOf('trial', id), confirmed)) ? 'confirmed' : settled(id)),
    revert,
    async outcomeOf(id) {
      const text = await readIfExists(fileOf('trial', id))
      if (text === undefined) {
        // The rollback process may have ended between its two steps.
        return (await readIfExists(fileOf('reverting', id))) === undefined ? settled(id) : revert(id)
      }
      const chain = /^ {2}chain (ruleset_[0-9a-f]{16}) \{$/m.exec(text)?.[1]
      return chain !== undefined && !(await isLoaded(chain)) ? revert(id) : 'pending'
    },
    async listSshPorts() {
      // It prints the effective settings, including those of included files.
      const { stdout } = await run(['sshd', '-T'], { timeoutMs }).catch((error: unknown) => {
        if (!(error instanceof ProcessError)) throw error
        // It also fails where systemd starts sshd with the first connection.
        return { stdout: error.reason === 'missing' ? '' : `port ${defaultSshPort}\n` }
      })
      const ports = [...stdout.matchAll(/^port (\d{1,5})$/gm)].map(([, port]) => Number(port))
      return [...new Set(ports)]
    }
  }
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
