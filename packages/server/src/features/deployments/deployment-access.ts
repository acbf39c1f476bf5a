export { appendLog, type DeploymentRow, findDeployment } from './deployments.repository.ts'
