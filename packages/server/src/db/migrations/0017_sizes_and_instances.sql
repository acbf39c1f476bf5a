DROP INDEX "container_slots_deployment";--> statement-breakpoint
ALTER TABLE "container_slots" ADD COLUMN "instance" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "size" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "instances" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "sticky_sessions" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "proxy_pool" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "out_of_memory_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "out_of_memory_mb" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "max_memory_mb" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "max_cpus" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_proxy_pool" ON "projects" USING btree ("node_id","proxy_pool");--> statement-breakpoint
CREATE UNIQUE INDEX "container_slots_deployment" ON "container_slots" USING btree ("deployment_id","instance");