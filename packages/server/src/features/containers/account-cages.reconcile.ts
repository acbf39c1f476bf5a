import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'

/** After a reboot the engine starts containers in cgroups without limits. Limits also change with the configuration. */
export async function reconcileAccountCages({
  engine,
  instanceId
}: Pick<Dependencies, 'engine' | 'instanceId'>): Promise<void> {
  const containers = await engine.listContainers({ [label.instance]: instanceId })
  const accounts = containers.flatMap(({ labels }) => labels[label.account] ?? []).map(Number)
  await engine.cageAccounts([...new Set(accounts)])
}
