export { appendLog, findDeployment } from './deployments.repository.ts'
