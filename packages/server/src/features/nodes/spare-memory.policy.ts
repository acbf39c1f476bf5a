import type { Machine } from '@panel/contract/machines'

type Facts = Pick<Machine, 'id' | 'isOwn' | 'roles' | 'status' | 'memory' | 'promised'>

/** Added machines whose sites would not fit on the others, by what is promised. */
export function machinesWithoutSpare<M extends Facts>(machines: readonly M[]): M[] {
  const active = machines.filter(({ roles, status }) => roles.includes('SITES') && status === 'ACTIVE')
  const free = ({ memory, promised }: Facts) => Math.max(0, (memory?.totalBytes ?? 0) - promised.memoryBytes)
  const total = active.reduce((sum, machine) => sum + free(machine), 0)
  return active.filter((machine) => !machine.isOwn && machine.promised.memoryBytes > total - free(machine))
}
