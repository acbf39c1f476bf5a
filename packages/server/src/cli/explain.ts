import type { Explanation } from '@panel/contract/explain'
import { findSetting } from '../db/settings.ts'
import { features } from '../features/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { explainAnyHost } from '../features/explain/explain.service.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { run } from '../infra/process/run.ts'
import { createPublicDns } from '../infra/public-dns/resolvers.ts'
import { openAuthority } from '../wiring/acme.ts'
import { storedNetwork } from '../wiring/network.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

/** `./panel explain <host>`: why a site does not answer. Works while the panel is down. Exits with 1 if a step failed. */
export async function explain({ args, env }: CommandContext): Promise<void> {
  const [host, ...rest] = args
  if (host === undefined || host.startsWith('-') || rest.length > 0)
    throw new Error('Usage: ./panel explain <hostname>')
  const explanation = await withStore(env, async (store) => {
    const { config, db, secretBox } = store
    const instanceId = await findSetting(db, 'instance_id')
    if (instanceId === undefined) throw new Error('This panel has never been started')
    const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
    return explainAnyHost(
      {
        ...store,
        engine,
        features,
        nodeId: instanceId,
        nodes: onlyMachine(instanceId),
        network: storedNetwork({ db, engine, config, run, instanceId, nodeId: instanceId }),
        publicDns: createPublicDns({ resolvers: () => config.DNS_RESOLVERS }),
        acme: await openAuthority(config, db, secretBox)
      },
      host
    )
  })
  process.stdout.write(renderExplanation(explanation))
  if (explanation.cause !== null) process.exitCode = 1
}

const onlyMachine = (ownId: string): Dependencies['nodes'] => ({
  ownId,
  retire: async () => {},
  forNode: () => Promise.reject(new AdapterError('node-unavailable', 'This command asks its own machine only')),
  forget: async () => {},
  publicKey: async () => ''
})

function renderExplanation({ steps, log }: Explanation): string {
  const rows = steps.map(({ step, status, message }) => `${step.padEnd(12)}${status.padEnd(10)}${message}\n`)
  return [...rows, ...(log.length > 0 ? ['\n', ...log.map((line) => `${line}\n`)] : [])].join('')
}
