ALTER TABLE "projects" ADD COLUMN "runtime_version" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "health" jsonb;