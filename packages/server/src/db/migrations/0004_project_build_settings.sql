ALTER TABLE "projects" ADD COLUMN "runtime_version" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "root_directory" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "dockerfile_path" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "health" jsonb;