export {
  areSeveralAdded,
  changeNode,
  isRetiring,
  listNodes,
  listSiteFacts,
  listSpreadFacts,
  lockNode,
  type NodeRow
} from './nodes.repository.ts'
