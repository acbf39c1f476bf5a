import type { BuildSource } from '../../infra/image-builder/image-builder.ts'
import type { ProjectRow } from '../projects/project-access.ts'

export type BuildSettings = Omit<BuildSource, 'repository' | 'buildEnv'>

/** What a project's owner decided about its build. */
export const buildSettingsOf = (project: ProjectRow): BuildSettings => ({
  type: project.type,
  buildCmd: project.buildCmd,
  startCmd: project.startCmd,
  port: project.port,
  runtimeVersion: project.runtimeVersion,
  rootDirectory: project.rootDirectory,
  dockerfilePath: project.dockerfilePath,
  dockerContext: project.dockerContext,
  dockerTarget: project.dockerTarget,
  buildArgs: project.buildArgs,
  installCmd: project.installCmd,
  outputDirectory: project.outputDirectory,
  image: project.image === null ? undefined : { reference: project.image, login: undefined }
})
