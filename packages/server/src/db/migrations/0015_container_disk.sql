CREATE TABLE "container_disk" (
	"container_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"deployment_id" text NOT NULL,
	"bytes" bigint NOT NULL,
	"files" bigint,
	"warned_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "container_disk" ADD CONSTRAINT "container_disk_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "container_disk_project" ON "container_disk" USING btree ("project_id");