// What other features may ask of the rows.
export { listEnvVarFacts } from './env-vars.repository.ts'
