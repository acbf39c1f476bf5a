ALTER TABLE "env_vars" ADD COLUMN "sensitive" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- As for those of a database that is linked from now on.
UPDATE "env_vars" SET "sensitive" = false WHERE "database_id" IS NOT NULL AND "key" IN ('DB_TYPE', 'DB_HOST', 'DB_PORT', 'DB_NAME', 'DB_USER');
