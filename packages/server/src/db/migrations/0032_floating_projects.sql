DROP INDEX "projects_proxy_pool";--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "target_node_id" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "is_draining" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "files_node_id" text;--> statement-breakpoint
UPDATE "projects" SET "files_node_id" = "node_id";--> statement-breakpoint
ALTER TABLE "projects" ALTER COLUMN "files_node_id" SET NOT NULL;--> statement-breakpoint
-- The panel's own machine has the files of all projects; the others can take sites.
UPDATE "nodes" SET "roles" = CASE WHEN "ssh" IS NULL THEN "roles" || '{FILES}' ELSE '{SITES}' END;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "keeps_files" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_target_node_id_nodes_id_fk" FOREIGN KEY ("target_node_id") REFERENCES "public"."nodes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_files_node_id_nodes_id_fk" FOREIGN KEY ("files_node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_proxy_pool" ON "projects" USING btree ("proxy_pool");