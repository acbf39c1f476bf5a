import type { Dependencies } from '../dependencies.ts'
import { startKnot, stopKnot } from '../infra/dns-server/knot-process.ts'
import { superviseKnot } from '../infra/dns-server/knot-supervisor.ts'
import type { Run } from '../infra/process/process.ts'
import { dnsServerPaths } from '../places.ts'
import { dnsTransferKey } from '../program-secrets.ts'
import { step } from './command.ts'
import { everyAddress } from './every-address.ts'
import { explain } from './explain.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'secretBox' | 'logger'>

/**
 * Starts the name server and watches it. Where it does not start, it is tried again and again, and the panel goes on: sites whose
 * names are kept elsewhere do not need it, and the port may be another program's.
 */
export async function startNameServer(deps: Deps, run: Run): Promise<{ stop(): Promise<void> }> {
  const { config, logger } = deps
  const addresses = config.DNS_LISTEN.length > 0 ? config.DNS_LISTEN : everyAddress()
  const options = {
    ...(await dnsServerPaths(config)),
    listen: addresses.map((address) => ({ address, port: config.DNS_PORT })),
    transferKey: await dnsTransferKey(deps),
    secondaries: config.DNS_SECONDARIES,
    run
  }
  const portHint =
    'another program has the port: where that is a resolver of this machine only, such as systemd-resolved, set DNS_LISTEN to the public address'
  step(`Starting the name server on port ${config.DNS_PORT}`)
  const started = await startKnot(options).catch((error: unknown) => {
    step(`The panel goes on without its name server. ${explain(error, portHint)}`)
    return undefined
  })
  const supervisor = superviseKnot(started, options, {
    onFailure: (error) => logger.error({ error: explain(error, portHint) }, 'name server')
  })
  return {
    async stop() {
      await supervisor.stop()
      await stopKnot(options)
    }
  }
}
