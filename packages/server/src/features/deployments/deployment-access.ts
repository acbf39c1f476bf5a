export {
  appendLog,
  type DeploymentRow,
  findDeployment,
  findLatestImage,
  lockDeployment
} from './deployments.repository.ts'
