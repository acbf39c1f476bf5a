// What other features may ask of the rows.
export { deleteApiTokensOf } from './api-tokens.repository.ts'
