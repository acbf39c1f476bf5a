CREATE TABLE "traffic_points" (
	"project_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"seconds" smallint NOT NULL,
	"node_id" text NOT NULL,
	"batch" text NOT NULL,
	"requests" bigint NOT NULL,
	"client_errors" bigint NOT NULL,
	"server_errors" bigint NOT NULL,
	"bytes_in" bigint NOT NULL,
	"bytes_out" bigint NOT NULL,
	"times" bigint[] NOT NULL,
	CONSTRAINT "traffic_points_project_id_at_node_id_batch_pk" PRIMARY KEY("project_id","at","node_id","batch")
);
--> statement-breakpoint
CREATE TABLE "traffic_totals" (
	"project_id" text NOT NULL,
	"node_id" text NOT NULL,
	"requests" bigint NOT NULL,
	"client_errors" bigint NOT NULL,
	"server_errors" bigint NOT NULL,
	"bytes_in" bigint NOT NULL,
	"bytes_out" bigint NOT NULL,
	"lost" bigint DEFAULT 0 NOT NULL,
	"is_named" boolean NOT NULL,
	"histogram" bigint[] NOT NULL,
	"milliseconds" bigint NOT NULL,
	CONSTRAINT "traffic_totals_project_id_node_id_pk" PRIMARY KEY("project_id","node_id")
);
--> statement-breakpoint
ALTER TABLE "traffic_points" ADD CONSTRAINT "traffic_points_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_points" ADD CONSTRAINT "traffic_points_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_totals" ADD CONSTRAINT "traffic_totals_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_points_age" ON "traffic_points" USING btree ("seconds","at");