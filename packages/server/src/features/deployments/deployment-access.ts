export { appendLog, type DeploymentRow, findDeployment, findDeploymentById } from './deployments.repository.ts'
