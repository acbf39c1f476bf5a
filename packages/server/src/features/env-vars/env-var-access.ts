export { listEnvVarFacts } from './env-vars.repository.ts'
