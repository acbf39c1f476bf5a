import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listNodes } from './nodes.repository.ts'
import { listMachines } from './nodes.service.ts'
import { machinesWithoutSpare } from './spare-memory.policy.ts'

/** Added machines that do not respond or have problems, and those whose failure the others could not take. */
export const machinesNeedingAttention: AttentionSource = {
  isOfServer: true,
  async list(deps) {
    if ((await listNodes(deps.db)).length === 1) return foundIn([], (item) => item)
    const { machines } = await listMachines(deps)
    const added = machines.filter(({ isOwn }) => !isOwn)
    const away = added.filter(({ status }) => status === 'AWAY')
    const faulty = added.filter(({ status, problems }) => status !== 'AWAY' && problems.length > 0)
    const items = [
      ...away.map(({ id, name, seenAt }) =>
        attentionItem('MACHINE_AWAY', 'machine', id, name, seenAt === null ? {} : { since: new Date(seenAt) })
      ),
      ...faulty.map(({ id, name, problems }) =>
        attentionItem('MACHINE_HAS_PROBLEMS', 'machine', id, name, { detail: problems[0]!.message })
      ),
      ...machinesWithoutSpare(machines).map(({ id, name }) => attentionItem('MACHINE_NO_SPARE', 'machine', id, name))
    ]
    return foundIn(items, (item) => item)
  }
}
