CREATE TYPE "public"."tcp_port_kind" AS ENUM('PORT', 'TLS');--> statement-breakpoint
CREATE TABLE "tcp_ports" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"kind" "tcp_port_kind" NOT NULL,
	"container_port" integer NOT NULL,
	"published_port" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tcp_ports_published" UNIQUE("node_id","published_port")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "max_tcp_ports" integer;--> statement-breakpoint
ALTER TABLE "tcp_ports" ADD CONSTRAINT "tcp_ports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tcp_ports" ADD CONSTRAINT "tcp_ports_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tcp_ports_tls" ON "tcp_ports" USING btree ("project_id") WHERE kind = 'TLS';--> statement-breakpoint
CREATE INDEX "tcp_ports_project" ON "tcp_ports" USING btree ("project_id");