// What other features may ask of the rows.
export {
  appendLog,
  type DeploymentRow,
  findDeployment,
  findNewestImage,
  lockDeployment
} from './deployments.repository.ts'
