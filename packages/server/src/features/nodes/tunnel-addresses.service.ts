import type { Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import type { NodeTunnel } from '../../db/schema/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { listContainerSubnets, listTunnels } from './nodes.repository.ts'
import { nextTunnel } from './tunnel.policy.ts'

/** Addresses for a machine that joins the encrypted network. */
export async function allocateTunnel({ config }: Pick<Dependencies, 'config'>, trx: Transaction): Promise<NodeTunnel> {
  await lockName(trx, 'machines:tunnels')
  const subnet = config.MACHINE_TUNNEL_SUBNET
  const used = (await listTunnels(trx)).map(({ machine }) => machine)
  const found = nextTunnel({ subnet, used, taken: await listContainerSubnets(trx) })
  if (found) return { ...found, publicKey: null }
  throw new AppError(
    'CONFLICT',
    `No address of the encrypted network is free: ${subnet} is full, or containers use it. Choose another range in Settings → Containers.`
  )
}
