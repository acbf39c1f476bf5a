export { listKeptUploads } from './source-uploads.repository.ts'
