export { listNodes, listSiteFacts } from './nodes.repository.ts'
