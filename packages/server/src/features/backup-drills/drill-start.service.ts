import type { DatabaseType } from '@panel/contract/databases'
import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { ContainerSpec } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'
import { giveStagedTree } from '../../infra/staging/staging.ts'
import { containerPortOf, containerSpec, type VolumeMount } from '../containers/container-spec.policy.ts'
import { reservePlace } from '../containers/host-port.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { connectionVariables } from '../databases/connection.policy.ts'
import { type DatabaseRow, listDatabasesOfProject } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { environmentOf, openEnvironment } from '../env-vars/environment.service.ts'
import { accountGateway } from '../networks/networks.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { drillEnvironment } from './drill-environment.policy.ts'
import { scratchPaths } from './drill-scratch.service.ts'

/** A uid below those of accounts: nothing in a drill counts for the quotas of the account or can read its files. */
const drillUid = 19_999

export interface ScratchDatabase {
  id: string
  account: DatabaseAccount
}

/** Starts the live image of a project with restored files, volumes and databases, and waits for its answer. False without an image. */
export async function startRestored(
  deps: Dependencies,
  drillId: string,
  project: ProjectRow,
  databases: readonly ScratchDatabase[],
  mounts: readonly VolumeMount[],
  signal: AbortSignal
): Promise<boolean> {
  const { liveDeploymentId } = project
  const live = liveDeploymentId === null ? undefined : await findDeployment(deps.db, project.id, liveDeploymentId)
  const uid = await findUid(deps.db, project.userId)
  if (live?.image == null || live.imageSpec === null || uid === undefined) return false
  const env = await readEnvironment(deps, project, databases)
  const { slot, networkName } = await reservePlace(deps, uid, {
    nodeId: project.nodeId,
    projectId: project.id,
    deploymentId: drillId,
    kind: 'RUN',
    containerPort: containerPortOf(project, env, live.imageSpec)
  })
  const endpoint = await endpointOf(deps, slot)
  const { files } = scratchPaths(deps.config, drillId)
  for (const directory of [files, ...mounts.map(({ source }) => source)]) await giveStagedTree(directory, drillUid)
  const spec = containerSpec(deps.config, {
    instanceId: deps.instanceId,
    networkName,
    project,
    deploymentId: drillId,
    image: live.image,
    imageSpec: live.imageSpec,
    uid: drillUid,
    filesDirectory: files,
    mounts,
    legacyVolumes: [],
    env,
    hostPort: slot.port,
    address: endpoint.address
  })
  const containerId = await deps.engine.createContainer(asDrill(spec, drillId))
  await deps.engine.startContainer(containerId)
  const problem = await waitUntilReady(deps.engine, containerId, endpoint, {
    health: project.health,
    hostname: siteHostname(deps.config, project),
    timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
    signal
  })
  if (problem !== undefined)
    throw new AppError('CONFLICT', `The restored project did not start. ${sentenceText(failureTexts, [problem])}`)
  return true
}

/** Without a published port, the named volumes of the project, and the cgroup and label of its account. */
function asDrill({ hostPort: _port, account: _account, ...spec }: ContainerSpec, drillId: string): ContainerSpec {
  const { [label.account]: _label, [label.volumes]: _volumes, ...labels } = spec.labels
  return { ...spec, volumes: [], labels: { ...labels, [label.run]: drillId } }
}

async function readEnvironment(
  deps: Dependencies,
  project: ProjectRow,
  scratch: readonly ScratchDatabase[]
): Promise<Record<string, string>> {
  const variables = environmentOf((await openEnvironment(deps, project.id)).variables, 'web')
  const types = Object.keys(deps.databaseServers) as DatabaseType[]
  const linked = (await Promise.all(types.map((type) => listDatabasesOfProject(deps.db, project.id, type)))).flat()
  const scratchOf = (row: DatabaseRow) => scratch.find(({ id }) => id === row.id)?.account
  const exchanged = linked.map((row) => ({ live: openAccount(deps, row), scratch: scratchOf(row) }))
  const injecting = linked.find(({ autoInjectEnv }) => autoInjectEnv)
  const account = injecting && scratchOf(injecting)
  if (!injecting || !account) return drillEnvironment(variables, exchanged, {})
  const { internal } = await deps.databaseServers[injecting.type].addresses(() => accountGateway(deps, project.userId))
  return drillEnvironment(variables, exchanged, connectionVariables(injecting.type, account, internal))
}
