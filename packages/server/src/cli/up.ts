import { run } from '../infra/process/run.ts'
import { createServiceNotifier } from '../process/service-notifier.ts'
import { type CommandContext, onStep, step } from './command.ts'
import { addressOf, setupLink, siteUrl } from './panel-addresses.ts'
import { startEverything } from './start-everything.ts'
import { runUntilStopped } from './until-stopped.ts'

/** `./panel up`: everything a server needs, in the foreground. */
export async function up(context: CommandContext): Promise<void> {
  const service = createServiceNotifier(context.env, run)
  onStep((text) => service.status(text))
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
    return close
  })
}
