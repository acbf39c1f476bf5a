import type { Project } from '@panel/contract/projects'
import type { ProjectRow } from './projects.repository.ts'

export function projectView(row: ProjectRow, webhookSecret: string | null = null): Project {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    type: row.type,
    status: row.status,
    gitUrl: row.gitUrl,
    branch: row.branch,
    buildCmd: row.buildCmd,
    startCmd: row.startCmd,
    port: row.port,
    runtimeVersion: row.runtimeVersion,
    rootDirectory: row.rootDirectory,
    dockerfilePath: row.dockerfilePath,
    dockerContext: row.dockerContext,
    dockerTarget: row.dockerTarget,
    buildArgs: row.buildArgs,
    installCmd: row.installCmd,
    outputDirectory: row.outputDirectory,
    releaseCmd: row.releaseCmd,
    image: row.image,
    imageAutoDeploy: row.imageAutoDeploy,
    health: row.health,
    deployRules: row.deployRules,
    instances: row.instances,
    stickySessions: row.stickySessions,
    size: row.size,
    readOnlyRoot: row.readOnlyRoot,
    webhookSecret,
    sshPublicKey: row.sshPublicKey,
    containerId: row.containerId,
    containerStatus: row.containerStatus,
    internalPort: row.internalPort,
    deployedDomain: row.deployedDomain,
    stopReason: row.stopReason,
    deployedAt: row.deployedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}
