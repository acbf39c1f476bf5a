CREATE TYPE "public"."project_source" AS ENUM('GIT', 'FILES');--> statement-breakpoint
ALTER TYPE "public"."deployment_trigger" ADD VALUE 'SNAPSHOT';--> statement-breakpoint
CREATE TABLE "file_snapshots" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"is_removed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "snapshot" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "source" "project_source" DEFAULT 'GIT' NOT NULL;--> statement-breakpoint
ALTER TABLE "file_snapshots" ADD CONSTRAINT "file_snapshots_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_snapshots_list" ON "file_snapshots" USING btree ("project_id","id");