import { turnOffFirewall } from '../features/firewall/firewall.service.ts'
import { findSetting } from '../db/settings.ts'
import { createNftServerFirewall } from '../infra/server-firewall/nft-server-firewall.ts'
import { run } from '../infra/process/run.ts'
import { bridgePrefix, serverFirewallTable } from '../net/network-names.ts'
import { createLogger } from '../process/logger.ts'
import { serverFirewallDirectory } from '../process/paths.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

/** `./panel firewall off`: for an administrator with console access who is locked out of the panel. */
export async function firewall({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'off') throw new Error('Usage: ./panel firewall off')
  await withStore(env, async (store) => {
    const { config, db } = store
    const instanceId = await findSetting(db, 'instance_id')
    if (instanceId === undefined) throw new Error('This panel has never been started')
    const serverFirewall = createNftServerFirewall({
      table: serverFirewallTable(instanceId),
      bridgePrefix: bridgePrefix(instanceId),
      directory: serverFirewallDirectory(config),
      run
    })
    const now = () => new Date()
    await turnOffFirewall({ ...store, serverFirewall, nodeId: instanceId, now, logger: createLogger(config.LOG_LEVEL) })
  })
  process.stdout.write('The firewall is off. Its rules are kept; turn it on again in the panel under Firewall.\n')
}
