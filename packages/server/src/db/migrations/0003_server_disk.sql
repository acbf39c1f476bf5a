CREATE TYPE "public"."disk_cleanup_status" AS ENUM('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED');--> statement-breakpoint
CREATE TABLE "disk_cleanups" (
	"id" text PRIMARY KEY NOT NULL,
	"node_id" text NOT NULL,
	"status" "disk_cleanup_status" DEFAULT 'QUEUED' NOT NULL,
	"kinds" jsonb NOT NULL,
	"results" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"requested_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "disk_measurements" (
	"node_id" text PRIMARY KEY NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"disks" jsonb NOT NULL,
	"projects" jsonb NOT NULL,
	"alerts" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "disk_cleanups" ADD CONSTRAINT "disk_cleanups_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disk_cleanups" ADD CONSTRAINT "disk_cleanups_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disk_measurements" ADD CONSTRAINT "disk_measurements_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "disk_cleanups_open" ON "disk_cleanups" USING btree ("node_id") WHERE status in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "disk_cleanups_latest" ON "disk_cleanups" USING btree ("node_id","created_at");--> statement-breakpoint
CREATE INDEX "disk_cleanups_requested_by" ON "disk_cleanups" USING btree ("requested_by");