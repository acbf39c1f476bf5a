export { listNodes, listSiteFacts, listSpreadFacts } from './nodes.repository.ts'
