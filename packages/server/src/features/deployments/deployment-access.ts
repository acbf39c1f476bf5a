// What other features may ask of the rows.
export {
  appendLog,
  type DeploymentRow,
  findDeployment,
  findLatestImage,
  lockDeployment
} from './deployments.repository.ts'
