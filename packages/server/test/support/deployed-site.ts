import { eq } from 'drizzle-orm'
import { deployments } from '../../src/db/schema/deployments.ts'
import { projects } from '../../src/db/schema/projects.ts'
import { reserveSlot } from '../../src/features/containers/host-port.service.ts'
import { endpointOf } from '../../src/features/domains/slot-endpoint.service.ts'
import { findUid } from '../../src/features/users/account-access.ts'
import { label } from '../../src/infra/container-engine/labels.ts'
import { newId } from '../../src/security/ids.ts'
import type { MemoryContainerEngine } from '../fakes/memory-container-engine.ts'
import type { Client, TestPanel } from './panel.ts'

export interface DeployedSite {
  id: string
  containerId: string
  hostname: string
}

/** A project with a running container that listens on port 8080, without a build. */
export async function deployedSite(panel: TestPanel, by: Client, engine: MemoryContainerEngine): Promise<DeployedSite> {
  const { id, name } = await by.createProject()
  const deploymentId = newId()
  await panel.deps.db
    .insert(deployments)
    .values({ id: deploymentId, projectId: id, userId: by.user.id, trigger: 'MANUAL', status: 'RUNNING' })
  const { nodeId } = panel.deps
  const uid = (await findUid(panel.deps.db, by.user.id))!
  const slot = await reserveSlot(panel.deps, uid, { nodeId, projectId: id, deploymentId, containerPort: 8080 })
  const { address } = await endpointOf(panel.deps, slot)
  const labels = { [label.instance]: 'test', [label.project]: id, [label.deployment]: deploymentId }
  await engine.pullImage('site', () => {})
  await engine.ensureNetwork('panel-test', {})
  const containerId = await engine.createContainer({
    name: `panel-${deploymentId}`,
    image: 'site',
    labels,
    env: {},
    user: '20000:20000',
    network: 'panel-test',
    address,
    hostPort: slot.port,
    containerPort: slot.containerPort,
    memoryBytes: 1,
    cpus: 1,
    pids: 1,
    readOnlyRoot: true,
    volumes: [{ name: `volume-${id}`, target: '/data' }],
    binds: []
  })
  await engine.startContainer(containerId)
  engine.containers.get(containerId)!.logs = 'one\ntwo\nthree\n'
  await panel.deps.db
    .update(projects)
    .set({ liveDeploymentId: deploymentId, containerId, containerStatus: 'running', internalPort: slot.port })
    .where(eq(projects.id, id))
  return { id, containerId, hostname: `${name}.apps.localhost` }
}
