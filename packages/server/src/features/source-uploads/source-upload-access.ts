export { keepUpload, listKeptUploads } from './source-uploads.repository.ts'
