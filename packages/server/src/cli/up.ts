import { resolve } from 'node:path'
import { run } from '../infra/process/run.ts'
import { createServiceNotifier } from '../process/service-notifier.ts'
import type { RunningPanel } from '../server.ts'
import { messageOf } from '../text/message-of.ts'
import { becomePanel, canReplaceProcess } from '../upgrade/replace-process.ts'
import { settleUpgrade, watchUpgradeRequests } from '../upgrade/start-upgrade.ts'
import { endWithSupervisor, reportReady } from '../upgrade/supervised.ts'
import { type CommandContext, onStep, step } from './command.ts'
import { addressOf, setupLink, siteUrl } from './panel-addresses.ts'
import { startEverything } from './start-everything.ts'
import { runUntilStopped } from './until-stopped.ts'

const args = ['up']

/** `./panel up`: everything a server needs, in the foreground. */
export async function up(context: CommandContext): Promise<void> {
  const { env, root } = context
  const service = createServiceNotifier(env, run)
  onStep((text) => service.status(text))
  endWithSupervisor(env)
  const dataDirectory = resolve(env.DATA_DIR || './data')
  // A hung new version is this process's to end, so the watchdog is answered meanwhile.
  const stopAnswering = service.answerWatchdog()
  await settleUpgrade({ dataDirectory, root, args, env, step, onDone: stopAnswering })
  stopAnswering()
  await runUntilStopped(async (signal) => {
    signal.addEventListener('abort', () => service.stopping())
    const { panel, setupToken, close } = await startEverything(context, signal)
    const { config } = panel.deps
    const sites = siteUrl(config, `<name>.${config.BASE_DOMAIN}`)
    if (setupToken !== undefined) {
      process.stdout.write(`Setup link for the administrator account (works once): ${setupLink(panel, setupToken)}\n`)
      step('The part after # is the setupToken of POST /api/auth/register; requests from this machine do not need it')
    }
    process.stdout.write(`Panel ready: ${addressOf(panel)} (sites at ${sites})\n`)
    onStep(undefined)
    service.ready()
    reportReady(panel.address)
    watchUpgradeRequests(
      { dataDirectory, root },
      {
        signal,
        onRequest: () => void restart(panel, context).catch(giveUp),
        onError: (error) => step(messageOf(error))
      }
    )
    return close
  })
}

/** The panel is closed by then: whatever supervises this process starts it again. */
function giveUp(error: unknown): never {
  step(`The panel could not restart: ${messageOf(error)}`)
  process.exit(1)
}

/**
 * Closes the panel, leaves every program running and starts again in the same process: the new start tries the requested
 * version and adopts the programs, as after a crash.
 */
async function restart(panel: RunningPanel, { env, root }: CommandContext): Promise<void> {
  if (!canReplaceProcess()) {
    step(`An upgrade is requested, and Node.js ${process.versions.node} cannot replace its process. Restart the panel`)
    return
  }
  step('An upgrade is requested: restarting')
  await panel.close()
  await becomePanel(root, args, env)
}
