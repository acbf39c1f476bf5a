import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { run } from '../infra/process/run.ts'
import { lockState } from '../process/state-lock.ts'
import { isFinished } from '../upgrade/upgrade.machine.ts'
import { prepareUpgrade, readPublicKey } from '../upgrade/prepare-upgrade.ts'
import { canReplaceProcess } from '../upgrade/replace-process.ts'
import { probe } from '../upgrade/supervised.ts'
import { readUpgrade, type UpgradeState } from '../upgrade/upgrade-state.ts'
import { type CommandContext, step } from './command.ts'
import { ensureDebianPackages } from './debian-packages.ts'
import { loadConfig } from './settings.ts'

const usage = `Usage: ./panel upgrade <release> [--key <file>]
       ./panel upgrade --status

<release> is hosting-panel-….tar.gz or hosting-panel_….deb, a path or an https URL. Its signature is beside it (<release>.minisig) and is
verified with the public key in --key, or in UPDATE_PUBLIC_KEY.`

/** `./panel upgrade <release>`: replaces this version while sites keep running. */
export async function upgrade({ args, env, root }: CommandContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { key: { type: 'string' }, status: { type: 'boolean' } },
    allowPositionals: true
  })
  const config = await loadConfig(env)
  if (values.status) {
    const state = await readUpgrade(config.DATA_DIR)
    process.stdout.write(`${state ? describe(state) : 'This panel has not been upgraded.'}\n`)
    return
  }
  const [source, ...others] = positionals
  if (source === undefined || others.length > 0) throw new Error(usage)
  const publicKey = values.key === undefined ? config.UPDATE_PUBLIC_KEY : await readPublicKey(values.key)
  if (publicKey === undefined)
    throw new Error('There is no key to verify the release with. Give the public key file with --key, or set UPDATE_PUBLIC_KEY.') // oxfmt-ignore
  const isRunning = await isPanelRunning(config.DATA_DIR)
  if (isRunning && !canReplaceProcess())
    throw new Error(`Node.js ${process.versions.node} cannot upgrade a running panel. Install Node.js 24, restart the panel with it, and try again.`) // oxfmt-ignore
  await ensureDebianPackages(run, ['minisign'])
  const state = await prepareUpgrade({ config, root, source, publicKey, run, step })
  if (!isRunning) {
    step(`Version ${state.to.version} is ready. The next ./panel up starts it`)
    return
  }
  step(`Switching to version ${state.to.version}. Sites keep running`)
  const ended = await untilEnded(config.DATA_DIR, state.id)
  if (ended.phase === 'reverted') {
    // The panel writes this phase before it starts the previous version again.
    await probe(config.HOST, config.PORT).catch((error: unknown) => {
      throw new Error(`${describe(ended)} It does not answer yet; see ./panel logs.`, { cause: error })
    })
    throw new Error(describe(ended))
  }
  process.stdout.write(`${describe(ended)}\n`)
}

const noticeLimitMs = 2 * 60_000

async function untilEnded(dataDirectory: string, id: string): Promise<UpgradeState> {
  for (const noticedBy = Date.now() + noticeLimitMs; ;) {
    const state = await readUpgrade(dataDirectory)
    if (state?.id !== id) throw new Error('Another upgrade was requested meanwhile. See ./panel upgrade --status.')
    if (isFinished(state.phase)) return state
    if (state.phase === 'requested' && Date.now() > noticedBy)
      throw new Error('The running panel does not begin the upgrade. Restart it: the next start of ./panel up does.')
    await sleep(500)
  }
}

async function isPanelRunning(dataDirectory: string): Promise<boolean> {
  return lockState(dataDirectory).then(
    async (lock) => {
      await lock.release()
      return false
    },
    () => true
  )
}

const describe = ({ from, phase, problem, to }: UpgradeState): string =>
  ({
    requested: `The upgrade to version ${to.version} is waiting for the panel.`,
    trying: `Version ${to.version} is starting.`,
    reverting: `Version ${to.version} did not run; the database of version ${from.version} is being restored.`,
    reverted: `Version ${to.version} was not kept, and version ${from.version} runs with its database as it was. ${problem ?? ''}`,
    done: `The panel was upgraded from version ${from.version} to ${to.version}.`
  })[phase].trim()
